/**
 * What @hone/client does in any runtime, for `test:nodes`: JSON, lines, a chat as a stream, a training job followed to
 * its end, an error. Prints the names of what went well, one a line.
 *
 *   <runtime> client-story.mjs <url> <key>
 */
import { argv } from 'node:process';

import { Hone, NotFoundError } from '../../libs/client/dist/index.js';

const PROJECT = { entity: 'local', project: 'runtimes' };
const project_id = 'local/runtimes';

const [baseUrl, apiKey] = argv.slice(2);
const hone = new Hone({ baseUrl, apiKey });

const { user } = await hone.accounts.getMe();
if (user.username === 'admin') console.log('json');

const trace_ref = `hone:///${project_id}/call/c1`;
for (const score of [1, 2])
  await hone.trace.createFeedback({ project_id, trace_ref, feedback_type: 'quality', payload: { score } });
const scores = [];
for await (const { payload } of hone.trace.queryFeedbackLines({ project_id })) scores.push(payload.score);
if (scores.includes(1) && scores.includes(2)) console.log('lines');

const messages = [{ role: 'user', content: 'What is the opposite of hot?' }];
let text = '';
const asked = { model: 'hone-tiny', messages, temperature: 0 };
for await (const { choices } of hone.inference.streamChatCompletion(asked)) text += choices[0]?.delta.content ?? '';
if (/cold/i.test(text)) console.log('stream');

const name = `model-${Math.random().toString(36).slice(2)}`;
const model = await hone.training.createTrainableModel({ ...PROJECT, name, base_model: 'hone-tiny' });
const rows = JSON.stringify({ messages: [...messages, { role: 'assistant', content: 'cold' }] });
const { url } = await hone.training.uploadArtifact({ ...PROJECT, name: 'rows' }, rows);
const job = await hone.training.createSftTrainingJob({ model_id: model.id, training_data_url: url });
const types = [];
for await (const update of hone.training.followTrainingJob({ training_job_id: job.id }))
  if (update.kind === 'event') types.push(update.event.type);
if (types.at(0) === 'training_started' && types.at(-1) === 'training_ended') console.log('events');

try {
  await hone.training.getTrainableModel({ model_id: job.id });
} catch (error) {
  if (error instanceof NotFoundError && error.code !== '') console.log('error');
}
