// Exits with 0 if the site in this container responds, else with 1. Needs no package. Health checks
// of containers run this program.
import { get } from 'node:http';

const everyAddress = new Set(['', '0.0.0.0', '::']);
const { HOST = '', PORT = '' } = process.env;
const site = {
  host: everyAddress.has(HOST) ? '127.0.0.1' : HOST,
  port: PORT || 3000,
  path: '/health/live',
  agent: false,
};

get(site, (answer) => {
  answer.resume();
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
}).on('error', () => {
  process.exitCode = 1;
});
