import { useState } from 'react';

import { Input, Select } from '../ui/input.js';
import styles from './span-select.module.css';
import { CUSTOM, DEFAULT_SPAN, exactTimes, SPANS } from './time-span.js';

const CHOOSE = 'choose';
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

interface Props {
  /** Of the address. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What no limit is called, which is the empty value; absent: there always is one. */
  readonly any?: string;
}

/** Chooses a time: one of the usual ones, or from one day to another. Times that were drawn on a chart are shown. */
export function SpanSelect({ value, onChange, any }: Props) {
  const [, from, to] = CUSTOM.exec(value) ?? [];
  const [shown, setShown] = useState(value);
  const [isChoosing, setChoosing] = useState(from !== undefined);
  if (shown !== value) {
    // Something else has changed the time.
    setShown(value);
    setChoosing(from !== undefined);
  }
  const exact = exactTimes(value);
  // An address may have a name that there is not: what is shown then is said.
  const known = exact !== null || Object.hasOwn(SPANS, value) ? value : any === undefined ? DEFAULT_SPAN : '';
  const choose = (chosen: string) => {
    setChoosing(chosen === CHOOSE);
    if (chosen !== CHOOSE) onChange(chosen);
  };
  return (
    <div className={styles['span']}>
      <Select aria-label="Time" value={isChoosing ? CHOOSE : known} onChange={({ target }) => choose(target.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {exact && <option value={value}>{exact.map((ms) => TIME.format(ms)).join(' – ')}</option>}
        {Object.entries(SPANS).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value={CHOOSE}>From – to …</option>
      </Select>
      {isChoosing && <Days key={value} from={from ?? ''} to={to ?? ''} onChange={onChange} />}
    </div>
  );
}

interface DaysProps {
  readonly from: string;
  readonly to: string;
  readonly onChange: (value: string) => void;
}

/** Says nothing until both days are there. */
function Days({ from: firstFrom, to: firstTo, onChange }: DaysProps) {
  const [from, setFrom] = useState(firstFrom);
  const [to, setTo] = useState(firstTo);
  const say = (start: string, end: string) => {
    setFrom(start);
    setTo(end);
    if (start !== '' && end !== '' && start <= end) onChange(`${start}..${end}`);
  };
  return (
    <>
      <Input type="date" aria-label="From" value={from} max={to} onChange={({ target }) => say(target.value, to)} />
      <Input type="date" aria-label="To" value={to} min={from} onChange={({ target }) => say(from, target.value)} />
    </>
  );
}
