import type { DerivedEnd, DerivedFacts, DerivedStart, Previews } from './derived.js';
import type { ModelTokens } from './model-tokens.js';

/** Names and types of what a statement's row has of derived values. Short: they are sent once per call. */
const TYPES = {
  ...{
    ds: 'boolean',
    ip: 'text',
    eu: 'text',
    pr: 'text',
    ck: 'text',
    ft: 'float8',
    dd: 'boolean',
    ov: 'text',
    ec: 'text',
  },
  ...{ mo: 'text', rq: 'float8', pt: 'float8', ct: 'float8', tt: 'float8', ca: 'float8', cw: 'float8', rt: 'float8' },
  um: 'jsonb',
};
export const DERIVED_ROW_NAMES: readonly string[] = Object.keys(TYPES);
export const DERIVED_ROW_TYPES = Object.entries(TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** Columns of each half, and where the row has them. */
export const DERIVED_START_COLUMNS = {
  ...{ is_start_derived: 'coalesce(ds, false)', input_preview: 'ip', end_user: 'eu', prompt_ref: 'pr' },
  ...{ checkpoint_id: 'ck', first_token_ms: 'ft' },
};
export const DERIVED_END_COLUMNS = {
  ...{
    is_end_derived: 'coalesce(dd, false)',
    output_preview: 'ov',
    error_class: 'ec',
    model: 'mo',
    requests: 'rq',
    prompt_tokens: 'pt',
  },
  ...{ completion_tokens: 'ct', total_tokens: 'tt', cached_tokens: 'ca', cache_write_tokens: 'cw' },
  ...{ reasoning_tokens: 'rt', usage_by_model: 'um' },
};

/** Columns that are derived of values. */
export const DERIVED_COLUMNS: readonly string[] = Object.keys({
  ...DERIVED_START_COLUMNS,
  ...DERIVED_END_COLUMNS,
}).filter((name) => !/^is_/.test(name));

/** Members of a row's JSON object, each behind a comma; what is null is left out. */
export const derivedStartMembers = (derived: DerivedStart): string =>
  `,"ds":true${textMember('ip', derived.inputPreview)}${attributeMembers(derived)}`;

export const derivedEndMembers = ({ outputPreview, errorClass, models }: DerivedEnd): string =>
  `,"dd":true${textMember('ov', outputPreview)}${textMember('ec', errorClass)}${modelMembers(models)}`;

/** Of a whole call, all but its {@link previewMembers}. */
export const factMembers = (facts: DerivedFacts): string =>
  `${FACTS_MEMBER}${attributeMembers(facts)}${textMember('ec', facts.errorClass)}${modelMembers(facts.models)}`;

export const previewMembers = ({ inputPreview, outputPreview }: Previews): string =>
  textMember('ip', inputPreview) + textMember('ov', outputPreview);

/** Whether a row has {@link factMembers}. Within texts, quotes are escaped. */
export const hasFacts = (row: string): boolean => row.includes(FACTS_MEMBER);

const FACTS_MEMBER = ',"ds":true,"dd":true';

const attributeMembers = ({ endUser, promptRef, checkpointId, firstTokenMs }: Omit<DerivedStart, 'inputPreview'>) =>
  textMember('eu', endUser) +
  textMember('pr', promptRef) +
  textMember('ck', checkpointId) +
  (firstTokenMs === null ? '' : `,"ft":${firstTokenMs}`);

function modelMembers([first, ...others]: readonly ModelTokens[]): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : `,"um":[${others.map((one) => `{${tokenMembers(one)}}`).join(',')}]`;
  return `,${tokenMembers(first)}${more}`;
}

const tokenMembers = ({
  model,
  requests,
  prompt,
  completion,
  total,
  cached,
  written,
  reasoning,
}: ModelTokens): string =>
  `"mo":${JSON.stringify(model)},"rq":${requests},"pt":${prompt},"ct":${completion},"tt":${total}` +
  (cached === null ? '' : `,"ca":${cached}`) +
  (written === null ? '' : `,"cw":${written}`) +
  (reasoning === null ? '' : `,"rt":${reasoning}`);

const textMember = (name: string, text: string | null): string =>
  text === null ? '' : `,"${name}":${JSON.stringify(text)}`;
