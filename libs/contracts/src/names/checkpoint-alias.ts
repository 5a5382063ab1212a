/** Letter first; no colon, which ends the model's name in a ref. */
export const CHECKPOINT_ALIAS = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$';
const SHAPE = new RegExp(CHECKPOINT_ALIAS);
/** What a ref means otherwise, now or in another system: a step, the newest, a version. */
const RESERVED = /^(?:step.*|latest|base|v[0-9]+)$/i;

/** Whether a checkpoint may have this alias. Aliases are compared byte for byte. */
export const isCheckpointAlias = (text: string): boolean => SHAPE.test(text) && !RESERVED.test(text);

/** For texts that name one: see `textRule`. */
export const ALIAS_SHAPE = {
  matches: isCheckpointAlias,
  description: 'an alias of a checkpoint, as production',
  pattern: CHECKPOINT_ALIAS,
  except: '^([Ss][Tt][Ee][Pp].*|[Ll][Aa][Tt][Ee][Ss][Tt]|[Bb][Aa][Ss][Ee]|[Vv][0-9]+)$',
  examples: ['production'],
};
