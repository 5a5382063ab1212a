/** Something that the palette goes to or does. */
export interface Command {
  readonly id: string;
  readonly name: string;
  /** What kind of thing it is, such as `Page` or `Model`. */
  readonly kind: string;
  readonly run: () => void;
}

const SHOWN = 12;

/**
 * The commands whose names have all words that were typed, those first that begin with the first of them.
 *
 * @param typed '': all
 */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ name, kind }: Command) => `${name} ${kind}`.toLowerCase();
  const rank = (command: Command) => (textOf(command).startsWith(words[0] ?? '') ? 0 : 1);
  return commands
    .filter((command) => words.every((word) => textOf(command).includes(word)))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}
