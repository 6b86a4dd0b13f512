// npm modbus-serial as the host: node modbus_serial_client.js tcp|rtu PORT|DEVICE UNIT OTHER
'use strict';
const ModbusRTU = require('modbus-serial');
const { walk } = require('./contract.js');

async function main([kind, where, unit, other]) {
  const client = new ModbusRTU();
  if (kind === 'tcp') await client.connectTCP('127.0.0.1', { port: Number(where) });
  else await client.connectRTUBuffered(where, { baudRate: 38400, parity: 'none' });
  client.setTimeout(600);
  client.setID(Number(unit));
  try {
    await walk({
      read: async (start, count) => (await client.readHoldingRegisters(start, count)).data,
      write: (start, words) => client.writeRegisters(start, words),
      denied: (asked) => asked.then(() => 0, (error) => error.modbusCode),
      silent: async (absent) => {
        client.setID(absent);
        return client.readHoldingRegisters(0, 1).then(() => false, (error) => error.name === 'TransactionTimedOutError');
      },
    }, Number(unit), Number(other));
  } finally {
    await new Promise((done) => client.close(done));
  }
}

main(process.argv.slice(2)).then(() => process.exit(0), (error) => {
  console.log(`BAD ${error.message}`);
  process.exit(1);
});
