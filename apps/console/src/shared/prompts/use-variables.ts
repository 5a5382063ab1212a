import { isJsonObject } from '@hone/client';

import { useSearchState } from '../data/search-state.js';
import type { Variables } from './prompt.js';

/** The values of variables, which the address keeps. '' takes one away. */
export function useVariables(): [Variables, (name: string, value: string) => void] {
  const [text, setText] = useSearchState('variables');
  const variables = readVariables(text);
  const set = (name: string, value: string) => {
    const { [name]: _before, ...others } = variables;
    const after = value === '' ? others : { ...others, [name]: value };
    setText(Object.keys(after).length === 0 ? '' : JSON.stringify(after));
  };
  return [variables, set];
}

/** What an address says may be anything. */
function readVariables(text: string): Variables {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
