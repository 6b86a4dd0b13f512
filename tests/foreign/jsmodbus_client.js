// npm jsmodbus as the host, over TCP only (its serial parser trusts a frame before its checksum):
// node jsmodbus_client.js PORT UNIT
'use strict';
const net = require('net');
const { client: clients } = require('jsmodbus');
const { walk } = require('./contract.js');

function main([port, unit]) {
  const socket = new net.Socket();
  const client = new clients.TCP(socket, Number(unit), 1000);
  return new Promise((done, failed) => {
    socket.on('error', failed);
    socket.on('connect', () => walk({
      read: async (start, count) => [...(await client.readHoldingRegisters(start, count)).response.body.valuesAsArray],
      write: (start, words) => client.writeMultipleRegisters(start, words),
      denied: (asked) => asked.then(() => 0, (error) => error.response.body.code),
    }, Number(unit)).then(done, failed));
    socket.connect({ host: '127.0.0.1', port: Number(port) });
  }).finally(() => socket.destroy());
}

main(process.argv.slice(2)).then(() => process.exit(0), (error) => {
  console.log(`BAD ${error.message || JSON.stringify(error)}`);
  process.exit(1);
});
