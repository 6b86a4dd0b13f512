// npm modbus-serial as a device: a still image of one electronic seat, and the blocks that a host may write.
// node modbus_serial_server.js tcp|rtu PORT|DEVICE UNIT; ends with its standard input.
'use strict';
const { ServerTCP, ServerSerial } = require('modbus-serial');
const { at, sealed } = require('./contract.js');

const [kind, where, unitText] = process.argv.slice(2);
const unit = Number(unitText);
const registers = new Map();
const put = (start, words) => words.forEach((word, index) => registers.set(start + index, word));
const zeros = (count) => new Array(count).fill(0);
const filled = (words, count) => [...words, ...zeros(count - words.length)];

put(at.IDENTITY, sealed(filled([at.MAGIC, 0x0100, 1, 0x008d, 1, unit << 8 | 1, 0x00c0, 0xffef, 1, 1, 0, 7, 0, 1, 0, 3,
  0xbeef, 1, 0, 12, 0x4e50, 0x4d21], 32), 31));
put(at.FAST_POLL, sealed([at.TAG_POLL, unit << 8 | 1, 7, 0xbeef, 1, 0xe240, 0x0011, 0, 0, 42, 0, 40, 0x1234, 9, 0x010f, 0,
  0x1c02, 0x0121, 18, 2, 0, 50, 0, 31, 0, 1, 0, 0], 15));
put(at.DETAIL, sealed(filled([at.TAG_DETAIL, unit << 8 | 1, 0, 20], 32), 31));
put(at.RING, filled([at.TAG_RING, unit, 0, 42], 100));
put(at.CONFIG, sealed(filled([at.TAG_CONFIG, 0, 100, 1, 2, 1, 2], 32), 31));
put(at.DESIRED, zeros(8));
put(at.COMMAND, zeros(8));

const vector = {
  getHoldingRegister: (address) => {
    if (!registers.has(address)) throw Object.assign(new Error('no such register'), { modbusErrorCode: 2 });
    return registers.get(address);
  },
  setRegister: (address, value) => registers.set(address, value),
};

const ready = () => console.log('ready');
if (kind === 'tcp') new ServerTCP(vector, { host: '127.0.0.1', port: Number(where), unitID: unit }).on('initialized', ready);
else new ServerSerial(vector, { path: where, baudRate: 38400, parity: 'none', unitID: unit, portResponse: undefined })
  .on('initialized', ready);
process.stdin.on('end', () => process.exit(0)).resume();
