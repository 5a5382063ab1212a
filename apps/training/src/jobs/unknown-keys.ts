import {
  type Class,
  fieldsOf,
  isJsonObject,
  type JsonValue,
  PreferenceJobCreateDto,
  SftJobCreateDto,
} from '@hone/contracts';
import type { JobWarning } from '@hone/training-jobs';
import leven from 'leven';

/** A body may have any number of them. */
const MAX_WARNINGS = 20;
/** Longer keys are cut in messages. */
const MAX_KEY_LENGTH = 64;

/** Common short names that share few letters with the setting. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['lr', 'learning_rate'],
  ['bs', 'batch_size'],
  ['epochs', 'n_epochs'],
  ['numepochs', 'n_epochs'],
  ['numtrainepochs', 'n_epochs'],
  ['scheduler', 'lr_schedule'],
  ['lrscheduler', 'lr_schedule'],
  ['lrschedulertype', 'lr_schedule'],
  ['warmup', 'warmup_steps'],
  ['r', 'rank'],
  ['lorar', 'rank'],
  ['lorarank', 'rank'],
  ['loraalpha', 'alpha'],
  ['targetmodules', 'target_modules'],
  ['loratargetmodules', 'target_modules'],
  ['clip', 'max_grad_norm'],
  ['gradclip', 'max_grad_norm'],
  ['gradientclip', 'max_grad_norm'],
  ['gradientclipping', 'max_grad_norm'],
  ['beta', 'kl_penalty_coef'],
  ['klcoef', 'kl_penalty_coef'],
  ['klbeta', 'kl_penalty_coef'],
]);

/** A known setting: its name, and where it belongs. */
interface KnownKey {
  readonly name: string;
  readonly loc: readonly string[];
}

/**
 * Warns of each key of a job's body that no setting has: it stays legal, and without effect. Trajectories are not
 * looked at: they are kept whole, with fields of the client's own.
 *
 * @param type DTO class of the body
 * @param sent the body as it was parsed, which `type` accepts
 */
export function warnOfUnknownKeys(type: Class, sent: JsonValue): JobWarning[] {
  const known = knownKeys(type, []);
  return unknownKeys(type, sent, [])
    .slice(0, MAX_WARNINGS)
    .map((loc) => warningOf(loc, known));
}

function knownKeys(type: Class, loc: readonly string[]): KnownKey[] {
  return fieldsOf(type).flatMap(({ name, nested }) => [
    { name, loc: [...loc, name] },
    ...(nested && !nested.isList ? knownKeys(nested.type(), [...loc, name]) : []),
  ]);
}

function unknownKeys(type: Class, sent: JsonValue | undefined, loc: readonly string[]): string[][] {
  if (!isJsonObject(sent)) return [];
  const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
  const found: string[][] = [];
  for (const key of Object.keys(sent)) {
    if (found.length >= MAX_WARNINGS) break;
    const field = fields.get(key);
    if (!field) found.push([...loc, key]);
    else if (field.nested && !field.nested.isList) {
      found.push(...unknownKeys(field.nested.type(), sent[key] as JsonValue, [...loc, key]));
    } else if (LINES_JOBS.includes(type) && key === 'experimental_config') {
      // Kept with the job; no setting is read from there.
      found.push(...unknownKeys(NoSettings, sent[key] as JsonValue, [...loc, key]));
    }
  }
  return found;
}

/** Bodies whose `experimental_config` is kept unread. */
const LINES_JOBS: readonly Class[] = [SftJobCreateDto, PreferenceJobCreateDto];

class NoSettings {}

function warningOf(path: readonly string[], known: readonly KnownKey[]): JobWarning {
  const loc = path.map(printable);
  const key = loc.at(-1) as string;
  const meant = nearest(key, loc, known);
  return {
    code: 'config.unknown_key',
    message: `The setting ${loc.join('.')} is unknown and has no effect.`,
    hint: meant && (meant.name === key ? `Put it at ${meant.loc.join('.')}.` : `Did you mean ${shown(meant, loc)}?`),
    loc,
  };
}

/** The path where it differs from that of the unknown key; otherwise the name says enough. */
function shown({ name, loc }: KnownKey, unknown: readonly string[]): string {
  const isBeside = loc.slice(0, -1).join() === unknown.slice(0, -1).join();
  return isBeside ? name : loc.join('.');
}

/** The known name with the fewest edits, at most one in three characters; among equals, the one in the same object. */
function nearest(key: string, loc: readonly string[], known: readonly KnownKey[]): KnownKey | null {
  const wanted = ALIASES.get(letters(key)) ?? key;
  const isBeside = (one: KnownKey) => one.loc.slice(0, -1).join() === loc.slice(0, -1).join();
  const ranked = known
    .map((one) => ({ one, edits: leven(letters(wanted), letters(one.name)), beside: isBeside(one) ? 0 : 1 }))
    .filter(({ one, edits }) => edits <= Math.max(letters(wanted).length, letters(one.name).length) / 3)
    .sort((a, b) => a.edits - b.edits || a.beside - b.beside);
  return ranked[0]?.one ?? null;
}

const letters = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The database holds neither control characters nor halves of surrogate pairs in JSON. */
const printable = (key: string): string => {
  const text = key.toWellFormed().replace(/\p{Cc}/gu, '\ufffd');
  return text.length > MAX_KEY_LENGTH ? `${text.slice(0, MAX_KEY_LENGTH).toWellFormed()}…` : text;
};
