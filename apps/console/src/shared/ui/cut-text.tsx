import styles from './ui.module.css';

/** Names up to this length are cut at their end, where there is no room. */
const SHORT_CHARACTERS = 20;
/** Of a longer name, its end stays: `openai.chat.completions.create` differs from its neighbours there. */
const KEPT_CHARACTERS = 12;

interface Props {
  readonly text: string;
  readonly className?: string | undefined;
}

/** A name on one line, cut in its middle where there is no room; all of it is its tooltip. */
export function CutText({ text, className = '' }: Props) {
  const at = text.length <= SHORT_CHARACTERS ? text.length : cutAt(text, text.length - KEPT_CHARACTERS);
  return (
    <span className={`${styles['cut']} ${className}`} title={text} dir="auto">
      <span>{text.slice(0, at)}</span>
      {at < text.length && <span>{text.slice(at)}</span>}
    </span>
  );
}

/** Not between the halves of a character. */
const cutAt = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
