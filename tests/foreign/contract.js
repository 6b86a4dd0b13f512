// The native contract as a stranger would write it down, from docs/device-contract.md and nothing of ours.
'use strict';

const at = {
  IDENTITY: 0x0000, RING: 0x0200, CONFIG: 0x0300, DESIRED: 0x0400, COMMAND: 0x0410, DETAIL: 0x1000, FAST_POLL: 0x2000,
  MAGIC: 0x4a50, TAG_POLL: 0xa501, TAG_DETAIL: 0xa502, TAG_RING: 0xa503, TAG_CONFIG: 0xa504,
  LOCK: 0x4c4f, UNLOCK: 0x554e,
};

// Of all words but the one at `place`, each with its high byte first.
function checkOf(words, place) {
  let crc = 0xffff;
  words.forEach((word, index) => {
    if (index === place) return;
    for (const byte of [word >> 8, word & 0xff]) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
    }
  });
  return crc;
}

function sealed(words, place) {
  words[place] = checkOf(words, place);
  return words;
}

const desired = (token, heartbeat, lock) => sealed([token, heartbeat, lock, 77, 0, 0, 0, 0], 7);

// What a client of any library must see, given its three ways to talk: read(start, count), write(start, words) and
// denied(promise) which gives the exception's number.
async function walk({ read, write, denied, silent }, unit, other) {
  const must = (what, holds) => {
    if (!holds) throw new Error(what);
    console.log(what);
  };
  const block = async (start, count, tag, place) => {
    const words = await read(start, count);
    must(`block ${start.toString(16)}`, words.length === count && words[0] === tag &&
      (place === undefined || words[place] === checkOf(words, place)));
    return words;
  };
  const identity = await block(at.IDENTITY, 32, at.MAGIC, 31);
  must('identity', identity[1] === 0x0101 && identity[5] >> 8 === unit);
  const size = 16 + 12 * identity[4];
  const poll = () => block(at.FAST_POLL, size, at.TAG_POLL, 15);
  const before = await poll();
  must('starts locked', (before[6] & 0xf) !== 1);
  for (let seat = 0; seat < identity[4]; seat++) await block(at.DETAIL + 0x100 * seat, 32, at.TAG_DETAIL, 31);
  await block(at.RING, 100, at.TAG_RING);
  await block(at.CONFIG, 32, at.TAG_CONFIG, 31);
  must('unknown address is exception 02', await denied(read(0x5000, 1)) === 2);
  must('half a block is exception 03', await denied(write(at.DESIRED, [0, 0, 0, 0])) === 3);
  must('a bad check word is exception 03', await denied(write(at.DESIRED, [0, 1, at.LOCK, 0, 0, 0, 0, 0])) === 3);
  await write(at.DESIRED, desired(0, 1, at.LOCK));
  await write(at.COMMAND, sealed([(before[13] % 65535) + 1, 1 << 8, 0, 0, 0xcafe, 0xf00d, 0, 0], 7));
  const session = await poll();
  must('new token, owned', session[12] !== before[12] && session[12] !== 0 && session[6] & 0x10 && session[14] >> 8 === 1);
  await write(at.DESIRED, desired(before[12], 1, at.UNLOCK));
  must('a stale token does not unlock', ((await poll())[6] & 0xf) !== 1);
  await write(at.DESIRED, desired(session[12], 1, at.UNLOCK));
  must('unlocked', ((await poll())[6] & 0xf) === 1);
  await write(at.DESIRED, desired(session[12], 1, 0));
  must('any other word locks', ((await poll())[6] & 0xf) === 3);
  if (silent) must('nobody answers for another unit', await silent(other));
  console.log('good');
}

module.exports = { at, checkOf, sealed, walk };
