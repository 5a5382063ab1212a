import { type Issue, issue, valueIssue } from '../issues/issue.js';
import { type ArtifactRef, parseArtifactRef } from '../names/artifact-ref.js';
import { TRAINING_DATA_URL as PATTERN } from '../patterns/patterns.js';
import { fromRule } from '../validation/rule.js';
import { isStorableText } from '../validation/rules.js';

/** Where the lines of a fine-tuning job come from. */
export type TrainingDataUrl =
  | { readonly kind: 'artifact'; readonly ref: ArtifactRef }
  | { readonly kind: 'data'; readonly isBase64: boolean; /** Still encoded. */ readonly content: string }
  | { readonly kind: 'remote'; readonly url: string };

const DATA = /^data:([^,]{0,512}),(.*)$/is;
const MAX_LENGTH = 2_048;

/** Reads what `training_data_url` may be; undefined when it is something else. */
export function parseTrainingDataUrl(text: string): TrainingDataUrl | undefined {
  const ref = parseArtifactRef(text);
  if (ref) return { kind: 'artifact', ref };
  const data = DATA.exec(text);
  if (data) return { kind: 'data', isBase64: /;base64$/i.test(data[1] as string), content: data[2] as string };
  if (text.length > MAX_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username || password ? undefined : { kind: 'remote', url: text };
}

const SENTENCE =
  'Input should be <scheme>-artifact:///<entity>/<project>/<name>:v<N>, a data: URL, or an http or https URL without a password';

const urlIssues = (value: unknown): Issue[] => {
  if (typeof value !== 'string') return [issue('string_type')];
  if (!isStorableText(value)) return [issue('string_unicode')];
  return parseTrainingDataUrl(value) ? [] : [valueIssue(SENTENCE)];
};

export const IsTrainingDataUrl = (): PropertyDecorator =>
  fromRule({
    name: 'isTrainingDataUrl',
    issues: urlIssues,
    schema: { type: 'string', pattern: PATTERN, examples: ['hone-artifact:///acme/demo/sft-1:v0'] },
  });
