// Reads bytes from standard input, as hexadecimal lines in the order they came over the wire, through the parser that
// others use, and writes each packet it finds as one hexadecimal line. Modules: NODE_PATH.
"use strict";
const { createInterface } = require("node:readline");
const { CCTalkParser } = require("@serialport/parser-cctalk");

const parser = new CCTalkParser(0); // our bytes come through a pipe: pauses mean nothing
parser.on("data", (packet) => process.stdout.write(packet.toString("hex") + "\n"));
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => parser.write(Buffer.from(line, "hex")));
lines.on("close", () => parser.end());
