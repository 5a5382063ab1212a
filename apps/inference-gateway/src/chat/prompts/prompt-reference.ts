import {
  check,
  isObjectId,
  isStorableText,
  parseRef,
  parseVersionSelector,
  PromptReferenceDto,
  refSteps,
  variableText,
  type VersionSelector,
} from '@hone/contracts';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { PromptNotFoundError } from '../../shared/errors/prompts.errors.js';

/** The version of an object that a request names. */
export interface PromptReference {
  /** As it was sent. */
  readonly id: string;
  /** `<entity>/<project>`; null: that of the request. */
  readonly projectId: string | null;
  readonly objectId: string;
  readonly selector: VersionSelector;
  /** The same as text. */
  readonly version: string;
  readonly variables: ReadonlyMap<string, string>;
}

const NUMBER = /^(0|[1-9]\d{0,8})$/;
const REF_START = ':///';

/** @param prompt of a body @throws InvalidRequestError, PromptNotFoundError no prompt can have this name */
export function readPromptReference(prompt: unknown): PromptReference {
  const { value, issues } = check(PromptReferenceDto, prompt, ['body', 'prompt']);
  if (!value) throw new InvalidRequestError(issues);
  const { id, variables } = value;
  const version = value.version ?? null;
  const label = value.label ?? null;
  if (version !== null && label !== null) throw invalid(['label'], 'A version and a label cannot both be given');
  const named = id.includes(REF_START) ? ofRef(id) : { projectId: null, objectId: id, version: null };
  const given = version ?? label;
  if (named.version !== null && given !== null) {
    throw invalid([version === null ? 'label' : 'version'], 'The ref names a version already');
  }
  const selector = label === null ? selectorOf(given ?? named.version ?? 'latest') : ofLabel(label);
  const text = given ?? named.version ?? 'latest';
  if (!isObjectId(named.objectId) || !isStorableText(text)) throw new PromptNotFoundError(id, text);
  return { ...named, id, selector, version: text, variables: textsOf(variables ?? {}) };
}

function ofRef(id: string): { projectId: string; objectId: string; version: string } {
  const ref = parseRef(id);
  if (ref?.kind !== 'object' || refSteps(id).length > 0) throw invalid(['id'], 'Input should be the ref of an object');
  return { projectId: ref.projectId, objectId: ref.name, version: ref.digest };
}

const selectorOf = (version: string): VersionSelector =>
  parseVersionSelector(NUMBER.test(version) ? `v${version}` : version);

const ofLabel = (label: string): VersionSelector =>
  label === 'latest' ? { by: 'latest' } : { by: 'alias', alias: label };

function textsOf(variables: Readonly<Record<string, unknown>>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(variables)) {
    texts.set(name, variableText(value) ?? '');
  }
  return texts;
}

const invalid = (loc: string[], msg: string): InvalidRequestError =>
  new InvalidRequestError([{ loc: ['body', 'prompt', ...loc], msg, type: 'value_error' }]);
