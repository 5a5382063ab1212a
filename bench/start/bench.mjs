import { measureStart } from './measure-start.mjs';

export const measures = { start: measureStart };
