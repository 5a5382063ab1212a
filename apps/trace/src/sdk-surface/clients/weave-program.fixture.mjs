// What an application does with the SDK of Weave, unmodified. Prints what it saw as one line of JSON.
import * as weave from 'weave';

const client = await weave.init('acme/npm', { printCallLink: false });
const seen = {};

const inner = weave.op(async function inner(x) {
  return x + 1;
});
const outer = weave.op(async function outer(x) {
  return (await Promise.all([inner(x), inner(x * 2)])).reduce((sum, one) => sum + one, 0);
});
const failing = weave.op(async function failing() {
  throw new Error('no luck');
});
const streaming = weave.op(
  async function* streaming() {
    yield 'a';
    yield 'b';
  },
  {
    streamReducer: { initialStateFn: () => '', reduceFn: (state, chunk) => state + chunk, finalizeFn: () => undefined },
  },
);

seen.sum = await weave.withAttributes({ tenant: 't1' }, () => outer(20));
seen.error = await failing().catch((error) => error.message);
seen.chunks = [];
for await (const chunk of await Promise.resolve(streaming())) seen.chunks.push(chunk);

const ref = await client.publish({ weights: [1, 2.5], note: 'é', run_id: 'free' }, 'settings');
seen.published = await client.get(ref);
const nested = await client.publish({ settings: ref.uri() }, 'holder');
seen.nested = await client.get(nested);

const image = weave.weaveImage({ data: Buffer.from('89504e470d0a1a0a', 'hex'), imageType: 'png' });
const draw = weave.op(async function draw() {
  return image;
});
await draw();

const dataset = new weave.Dataset({
  name: 'sums',
  rows: [
    { question: '2+2', expected: '4' },
    { question: '3+3', expected: '6' },
  ],
});
const datasetRef = await dataset.save();
seen.rows = [];
const stored = await client.get(datasetRef);
for (const row of stored.rows.rows ?? []) seen.rows.push({ question: row.question, expected: row.expected });

const isRight = weave.op(function isRight({ modelOutput, datasetRow }) {
  return modelOutput === datasetRow.expected;
});
const model = weave.op(async function answers({ datasetRow }) {
  return datasetRow.question === '2+2' ? '4' : '7';
});
const evaluation = new weave.Evaluation({ name: 'smoke', dataset, scorers: [isRight] });
seen.evaluation = await evaluation.evaluate({ model });

const [output, call] = await outer.invoke(1);
seen.invoked = output;
await client.waitForBatchProcessing();
await call.setDisplayName('renamed');
const scorer = await client.publish({ name: 'exactness' }, 'exactness');
seen.feedback = await client.addScore(call.id, call.id, scorer.uri(), { right: true });

const logger = new weave.EvaluationLogger({ name: 'logged', model: 'm', dataset: 'd' });
const prediction = logger.logPrediction({ q: '2+2' }, '4');
await prediction.logScore('right', true);
await prediction.finish();
await logger.logSummary({ mean: 1 });

await client.waitForBatchProcessing();
seen.calls = (await client.getCalls({ trace_roots_only: true }, true)).map(
  ({ op_name, display_name, exception, summary }) => ({
    op_name,
    display_name,
    exception,
    status: summary?.weave?.status,
  }),
);
seen.renamed = (await client.getCall(call.id)).display_name;
console.log(`SEEN ${JSON.stringify(seen)}`);
