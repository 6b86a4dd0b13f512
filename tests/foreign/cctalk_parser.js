// @serialport/parser-cctalk: lines of hex in, each fed as one piece of a stream; lines of hex out, one a frame.
'use strict';
const { CCTalkParser } = require('@serialport/parser-cctalk');

const parser = new CCTalkParser();
parser.on('data', (frame) => console.log(Buffer.from(frame).toString('hex')));
let text = '';
process.stdin.on('data', (piece) => { text += piece; });
process.stdin.on('end', () => {
  text.split('\n').filter(Boolean).forEach((line) => parser.write(Buffer.from(line.trim(), 'hex')));
  parser.end();
});
