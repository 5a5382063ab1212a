import { useState } from 'react';

import { Input, Select } from '../ui/input.js';
import styles from './span-select.module.css';
import { CUSTOM, SPANS } from './time-span.js';

const CHOOSE = 'choose';

interface Props {
  /** Of the address. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Chooses a time: one of the usual ones, or from one day to another. */
export function SpanSelect({ value, onChange }: Props) {
  const [, from, to] = CUSTOM.exec(value) ?? [];
  const [isChoosing, setChoosing] = useState(from !== undefined);
  const choose = (chosen: string) => {
    setChoosing(chosen === CHOOSE);
    if (chosen !== CHOOSE) onChange(chosen);
  };
  return (
    <div className={styles['span']}>
      <Select aria-label="Time" value={isChoosing ? CHOOSE : value} onChange={({ target }) => choose(target.value)}>
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
