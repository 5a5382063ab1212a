import { type Issue, patternIssue } from '../issues/issue.js';
import { ENTITY_NAME, OBJECT_NAME, PROJECT_NAME, UUID } from '../patterns/patterns.js';
import type { JsonSchema } from '../validation/rule.js';
import { CHECKPOINT_ALIAS } from './checkpoint-alias.js';

/** A parameter in the path of a route, as the OpenAPI document shows it. */
export interface PathParameter {
  readonly description: string;
  readonly schema: JsonSchema;
}

const id = (what: string): PathParameter => ({
  description: `Id of the ${what}, a UUID.`,
  schema: { type: 'string', format: 'uuid', pattern: UUID },
});
const text = (description: string, example: string, schema: JsonSchema = {}): PathParameter => ({
  description,
  schema: { type: 'string', ...schema, examples: [example] },
});

/** Name of a path parameter -> what it stands for: the same in every route. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  id: text('Id of the API key, a UUID.', '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'),
  model_id: id('trainable model'),
  training_job_id: id('training job'),
  job_id: id('evaluation that the server runs'),
  queue_id: text('Id of the annotation queue.', '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'),
  item_id: text('Id of the item of the queue.', '019bc119-0200-7a3e-9d2a-5f0e8a1b2c3d'),
  evaluation_run_id: text('Id of the evaluation run.', '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d'),
  prediction_id: text('Id of the prediction.', '019bc119-0200-7a3e-9d2a-5f0e8a1b2c3d'),
  score_id: text('Id of the score.', '019bc119-0300-7a3e-9d2a-5f0e8a1b2c3d'),
  entity: text('Team or user that owns the project.', 'acme', { pattern: ENTITY_NAME }),
  project: text('Name of the project within its entity.', 'demo', { pattern: PROJECT_NAME }),
  username: text('Name of the user.', 'ada'),
  name: text('Name of the artifact.', 'sft-1', { pattern: PROJECT_NAME }),
  version: text('Version of the artifact: `v0`, `v1` and so on, or `latest`.', 'v0', {
    pattern: '^(?:v(?:0|[1-9][0-9]{0,8})|latest)$',
  }),
  step: text('Step of the checkpoint, 1 or more.', '1', { pattern: '^[1-9][0-9]*$' }),
  alias: text('Alias of a checkpoint.', 'production', { pattern: CHECKPOINT_ALIAS }),
  object_id: text('Name of the object.', 'greeter', { pattern: OBJECT_NAME }),
  digest: text('Version: its content digest, `v<N>`, `latest` or an alias.', 'v0', { minLength: 1 }),
  path: text('Path of the file, relative; a slash in it is written `%2F`.', 'train.jsonl'),
};

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * What is wrong with the text of a path parameter, whatever it names: no name and no id contains a control character.
 *
 * @param text decoded
 */
export const pathParameterIssues = (name: string, text: string): Issue[] =>
  CONTROL_CHARACTER.test(text) ? [patternIssue('text without control characters', ['path', name])] : [];
