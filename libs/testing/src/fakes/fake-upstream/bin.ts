import { parseArgs } from 'node:util';

import { FakeUpstream } from './fake-upstream.js';
import { BEHAVIOURS, MODIFIERS } from './scenario.js';

/** `npm run fake-upstream -- --port 9000`: the fake as a process, for people who want to see a fault. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9000' },
    host: { type: 'string', default: '127.0.0.1' },
    name: { type: 'string' },
    key: { type: 'string' },
  },
});
const { port, host, name, key } = values;
const fake = await FakeUpstream.start({ port: Number(port), host, name, key });
console.log(`The fake upstream is ready on ${fake.baseUrl}. Model names are a behaviour and modifiers, for example`);
console.log(`cut@40+tokens@60+pace@5.\n\nBehaviours: ${Object.keys(BEHAVIOURS).join(' ')}`);
console.log(`Modifiers: ${MODIFIERS.join(' ')}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fake.stop());
