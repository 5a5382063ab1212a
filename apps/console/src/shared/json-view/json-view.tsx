import { JsonNumber, stringifyJson } from '@hone/client';
import { useEffect, useRef, useState } from 'react';

import { mediaOf } from '../media/media.js';
import { MediaView } from '../media/media-view.js';
import { RemoteBranch, RemoteText } from '../payload/large-payload.js';
import { FIRST_MEMBERS } from '../payload/payload-messages.js';
import { CopyButton } from '../ui/copy-button.js';
import { LongText } from '../ui/long-text.js';
import { copyOf, countOf, deeperPath, type JsonPath } from './json-value.js';
import styles from './json-view.module.css';
import { LocalRows, More, RemoteRows } from './rows.js';

/** Members of one array or object that are shown at a time. */
const STEP = FIRST_MEMBERS;
/** Rows that the members of members may take at first. */
const ROOM = 250;
/** A key that is longer is cut. */
const MAX_KEY_CHARACTERS = 300;

/** A member that is to be seen; a new object shows it again. */
export interface Reveal {
  readonly path: JsonPath;
}

interface Props {
  readonly value: unknown;
  readonly label: string;
  /** Path of the value, as queries name it. */
  readonly path?: string;
  readonly reveal?: Reveal | null;
}

/**
 * Any JSON value as a tree that opens and closes, also one of which a worker has the most. Numbers are shown as they
 * were sent, and nothing in it is run.
 */
export const JsonView = ({ value, label, path = '', reveal = null }: Props) => (
  <div className={styles['tree']} role="group" aria-label={label}>
    <JsonValueView value={value} level={0} path={path} reveal={reveal} room={Infinity} />
  </div>
);

interface ValueProps {
  readonly value: unknown;
  readonly level: number;
  readonly path: string;
  /** What is to be seen within it; null: nothing. */
  readonly reveal: Reveal | null;
  /** It is open at first if it has no more members. */
  readonly room: number;
}

function JsonValueView({ value, level, path, reveal, room }: ValueProps) {
  if (typeof value === 'string') return <Text text={value} />;
  if (value instanceof RemoteText)
    return <Text text={value.head} length={value.length} whole={(signal) => value.whole(signal)} />;
  if (countOf(value) !== null) {
    const props = { value, level, path, reveal, room };
    // Another value of a worker begins with its own first members.
    return <Branch {...props} key={value instanceof RemoteBranch ? value.name : 'local'} />;
  }
  return (
    <span className={styles['other']}>{value instanceof JsonNumber ? value.text : stringifyJson(value ?? null)}</span>
  );
}

interface TextProps {
  readonly text: string;
  readonly length?: number;
  readonly whole?: (signal?: AbortSignal) => Promise<string>;
}

function Text({ text, length = text.length, whole }: TextProps) {
  const media = mediaOf(text);
  return (
    <span className={styles['text']} dir="auto">
      <span className={styles['quoted']}>
        <LongText text={text} length={length} whole={whole} />
      </span>
      {media && <MediaView media={media} length={length} text={() => (whole ? whole() : text)} />}
    </span>
  );
}

interface MemberProps extends ValueProps {
  readonly name: string;
}

/** A member of an array or object, whose key gives its path and value to copy. */
function Member({ name, path, ...rest }: MemberProps) {
  const [isChosen, setIsChosen] = useState(false);
  const element = useRef<HTMLLIElement>(null);
  const { level, reveal, value } = rest;
  const isHit = reveal?.path.length === level;
  useEffect(() => {
    if (isHit) element.current?.scrollIntoView({ block: 'center' });
  }, [isHit, reveal]);
  const own = deeperPath(path, name);
  return (
    <li ref={element} data-hit={isHit}>
      <button
        type="button"
        className={styles['key']}
        aria-expanded={isChosen}
        title="Copy its path or value"
        onClick={() => setIsChosen(!isChosen)}
      >
        {name.length > MAX_KEY_CHARACTERS ? `${name.slice(0, MAX_KEY_CHARACTERS)}…` : name}
      </button>
      :{' '}
      {isChosen && (
        <span className={styles['copies']}>
          <CopyButton label="Copy path" text={() => own} isNamed />
          <CopyButton label="Copy value" text={() => copyOf(value)} isNamed />
        </span>
      )}
      <JsonValueView {...rest} path={own} />
    </li>
  );
}

/** An array or object: its brackets, and a page of its members while it is open. */
function Branch({ value, level, path, reveal, room }: ValueProps) {
  const count = countOf(value) ?? 0;
  const [isOpen, setIsOpen] = useState(count <= room);
  const [[from, to], setShown] = useState<readonly [from: number, to: number]>([0, STEP]);
  const [seen, setSeen] = useState<Reveal | null>(null);
  if (reveal !== seen) {
    setSeen(reveal);
    const wanted = reveal?.path[level];
    if (wanted !== undefined) {
      setIsOpen(true);
      if (wanted < from || wanted >= to) setShown([wanted - (wanted % STEP), wanted - (wanted % STEP) + STEP]);
    }
  }
  const isArray = Array.isArray(value) || (value instanceof RemoteBranch && value.kind === 'array');
  const [open, close] = isArray ? '[]' : '{}';
  if (count === 0) return <span>{`${open}${close}`}</span>;
  const roomOfEach = level === 0 ? ROOM / Math.min(count, STEP) : 0;
  const toRow = ([key, member]: readonly [string, unknown], index: number) => (
    <Member
      key={from + index}
      name={key}
      value={member}
      level={level + 1}
      path={path}
      reveal={reveal?.path[level] === from + index ? reveal : null}
      room={roomOfEach}
    />
  );
  return (
    <>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Close' : 'Open'} ${count} entries`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? `▾ ${open}` : `▸ ${open} ${count} ${close}`}
      </button>
      {isOpen && (
        <>
          <ul>
            {from > 0 && (
              <More onClick={() => setShown([Math.max(0, from - STEP), to])}>
                {Math.min(STEP, from)} before, of {from}
              </More>
            )}
            {value instanceof RemoteBranch ? (
              <RemoteRows branch={value} from={from} to={to} toRow={toRow} />
            ) : (
              <LocalRows value={value} from={from} to={to} toRow={toRow} />
            )}
            {to < count && (
              <More onClick={() => setShown([from, to + STEP])}>
                {Math.min(STEP, count - to)} more of {count - to}
              </More>
            )}
          </ul>
          {close}
        </>
      )}
    </>
  );
}
