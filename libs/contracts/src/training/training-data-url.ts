import { type Issue, issue, valueIssue } from '../issues/issue.js';
import { parseProjectId } from '../names/names.js';
import { TRAINING_DATA_URL as PATTERN } from '../patterns/patterns.js';
import { fromRule } from '../validation/rule.js';
import { isStorableText } from '../validation/rules.js';

/** A version of an artifact by its name. */
export interface ArtifactRef {
  readonly scheme: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** 0, 1, 2, ...; `latest`: the highest that is not deleted. */
  readonly version: number | 'latest';
  /** Path of a file of the version; undefined: the one that holds its training data. */
  readonly file?: string | undefined;
}

/** Where the lines of a fine-tuning job come from. */
export type TrainingDataUrl =
  | { readonly kind: 'artifact'; readonly ref: ArtifactRef }
  | { readonly kind: 'data'; readonly isBase64: boolean; /** Still encoded. */ readonly content: string }
  | { readonly kind: 'remote'; readonly url: string };

const ARTIFACT =
  /^([a-z][a-z0-9+.-]*)-artifact:\/{2,3}([^/:]+)\/([^/:]+)\/([^/:]+)(?::(?:v(0|[1-9][0-9]{0,8})|latest)(?:\/([A-Za-z0-9._-]{1,128}))?)?$/u;
const DATA = /^data:([^,]{0,512}),(.*)$/is;
const MAX_LENGTH = 2_048;

/**
 * Reads `<scheme>-artifact:///entity/project/name`, with `:vN`, `:latest` or neither (latest), and two or three
 * slashes; `/<file>` may follow a version. Names are compared byte for byte: nothing is decoded.
 *
 * @returns undefined when it is none
 */
export function parseArtifactRef(text: string): ArtifactRef | undefined {
  const match = text.length > MAX_LENGTH ? null : ARTIFACT.exec(text);
  if (!match) return undefined;
  const [, scheme = '', entity = '', project = '', name = '', version, file] = match;
  if (!parseProjectId(`${entity}/${project}`)) return undefined;
  return { scheme, entity, project, name, version: version === undefined ? 'latest' : Number(version), file };
}

/** The ref of a version, or of one of its files. */
export const formatArtifactRef = ({ scheme, entity, project, name, version, file }: ArtifactRef): string =>
  `${scheme}-artifact:///${entity}/${project}/${name}:${version === 'latest' ? version : `v${version}`}${file === undefined ? '' : `/${file}`}`;

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
