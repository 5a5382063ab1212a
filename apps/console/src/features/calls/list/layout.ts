import type { CSSProperties } from 'react';

import type { Column } from '../columns/columns.js';

/** Of the box to select by, and of what stands between columns and at their ends. */
const [SELECT_PX, GAP_PX, ENDS_PX] = [24, 8, 32];

/** The widths of columns for lists of three widths: the narrower one is, the fewer columns it has. */
export function layoutOf(columns: readonly Column[]): CSSProperties {
  const medium = columns.filter(({ from }) => from !== 'wide');
  const narrow = medium
    .filter(({ from }) => from !== 'medium')
    .map((column) =>
      column.narrowPx === undefined
        ? column
        : { ...column, minPx: column.narrowPx, width: `minmax(${column.narrowPx}px, 1fr)` },
    );
  return { ...layout('wide', columns), ...layout('medium', medium), ...layout('narrow', narrow) } as CSSProperties;
}

function layout(name: string, columns: readonly Column[]): Record<string, string> {
  const width = columns.reduce((sum, { minPx }) => sum + minPx + GAP_PX, SELECT_PX + ENDS_PX);
  return {
    [`--${name}`]: [`${SELECT_PX}px`, ...columns.map((column) => column.width)].join(' '),
    [`--${name}-width`]: `${width}px`,
  };
}
