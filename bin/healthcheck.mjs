// Exits with 0 if the site in this container responds, otherwise with 1. Used by containers' health
// checks. Requires no packages.
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
