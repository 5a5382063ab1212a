import { createRequire } from 'node:module';

/** One entry of emojibase's compact English data (CLDR names). */
interface EmojiEntry {
  unicode: string;
  label: string;
  skins?: EmojiEntry[];
}

/** What is known of one emoji; `alias` is its CLDR English name as `:thumbs_up:`. */
export interface Emoji {
  alias: string;
  /** The same emoji without skin tone. */
  detoned: string;
  detonedAlias: string;
}

interface KnownEmoji {
  label: string;
  /** The entry without skin tone. */
  parent: EmojiEntry;
}

const SKIN_TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;
let known: Map<string, KnownEmoji> | undefined;

/** Finds `text` if it is exactly one emoji; a variation selector (U+FE0F) may be there or not. */
export function findEmoji(text: string): Emoji | undefined {
  known ??= loadEmojis();
  const found = known.get(withoutVariation(text));
  if (!found) return undefined;
  const stripped = text.replace(SKIN_TONES, '');
  // A pair of people with two skin tones is another sequence than the pair without: the data has an entry for it.
  const detoned = known.has(withoutVariation(stripped)) ? stripped : found.parent.unicode;
  return { alias: aliasOf(found.label), detoned, detonedAlias: aliasOf(found.parent.label) };
}

function loadEmojis(): Map<string, KnownEmoji> {
  const entries = createRequire(import.meta.url)('emojibase-data/en/compact.json') as EmojiEntry[];
  const emojis = new Map<string, KnownEmoji>();
  for (const parent of entries) {
    for (const { unicode, label } of [parent, ...(parent.skins ?? [])])
      emojis.set(withoutVariation(unicode), { label, parent });
  }
  return emojis;
}

const withoutVariation = (text: string): string => text.replaceAll('\ufe0f', '');

/** `thumbs up: medium skin tone` -> `:thumbs_up_medium_skin_tone:`. */
const aliasOf = (label: string): string => `:${label.replace(/[:,]? /g, '_')}:`;
