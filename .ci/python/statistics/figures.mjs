/**
 * Figures of tables by the built `@hone/statistics`: a JSON array of tables on standard input, one of their figures on
 * standard output.
 */
import { text } from 'node:stream/consumers';

import { registerSources } from '../../../libs/testing/src/jest/sources.mjs';

registerSources();
const { figuresOf } = await import('../../../libs/statistics/src/oracle/figures.fixture.ts');
const statistics = await import('../../../libs/statistics/dist/index.js');
const tables = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(tables.map((table) => figuresOf(statistics, table))));
