#!/usr/bin/env node
import { main } from './bootstrap.mjs';

await main('deals', process.argv.slice(2));
