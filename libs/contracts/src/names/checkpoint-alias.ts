/** Letter first; no colon, which ends the model's name in a ref. */
export const CHECKPOINT_ALIAS = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$';
const SHAPE = new RegExp(CHECKPOINT_ALIAS);
/** What a ref means otherwise, now or in another system: a step, the newest, a version. */
const RESERVED = /^(?:step.*|latest|base|v[0-9]+)$/i;

/** Whether a checkpoint may have this alias. Aliases are compared byte for byte. */
export const isCheckpointAlias = (text: string): boolean => SHAPE.test(text) && !RESERVED.test(text);
