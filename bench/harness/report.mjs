/**
 * @typedef {object} Row
 * @property {string} measure
 * @property {number | null} value what Hone does; null: could not be measured, `note` says why
 * @property {string} unit
 * @property {number} [peer] what the peer does, in the same unit
 * @property {string} [peerName]
 * @property {number} [ratio] absent: `value` divided by `peer`
 * @property {string} [target] as it is written in the table
 * @property {boolean} [isMet] absent: no target
 * @property {string} [note]
 * @property {string} [bench] which of several benches it belongs to
 */

const HEAD = ['measure', 'Hone', 'peer', 'ratio', 'target', 'met'];
const IS_NUMERIC = [false, true, true, true, false, false];

/** The figures of a run, as a table for people or as JSON. */
export class Report {
  /** @type {Row[]} */
  #rows = [];

  /** @param {Row} row */
  add(row) {
    const ratio = row.value !== null && row.peer ? row.value / row.peer : undefined;
    this.#rows.push({ ratio, ...row });
  }

  /** Adds all rows of one bench, under its name. @param {Row[]} rows */
  section(bench, rows) {
    for (const row of rows) this.add({ ...row, bench });
  }

  json() {
    return JSON.stringify({ node: process.version, platform: process.platform, rows: this.#rows }, null, 2);
  }

  table() {
    const cells = [HEAD, ...this.#rows.flatMap((row, at) => [...this.#heading(at), toCells(row)])];
    const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
    const lines = cells.map((row) =>
      row.map((cell, column) => (IS_NUMERIC[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))),
    );
    const notes = this.#rows.filter(({ note }) => note).map(({ measure, note }) => `  ${measure}: ${note}`);
    return [...lines.map((line) => line.join('  ').trimEnd()), ...(notes.length ? ['', ...notes] : [])].join('\n');
  }

  /** A line with the name of the bench, above its first row. */
  #heading(at) {
    const { bench } = this.#rows[at];
    return bench === undefined || bench === this.#rows[at - 1]?.bench ? [] : [[`== ${bench}`, '', '', '', '', '']];
  }
}

function toCells({ measure, value, unit, peer, peerName, ratio, target = '', isMet }) {
  return [
    measure,
    value === null ? 'none' : `${format(value)} ${unit}`,
    peer === undefined ? '' : `${format(peer)} ${peerName ?? ''}`.trim(),
    ratio === undefined ? '' : ratio.toFixed(2),
    target,
    isMet === undefined ? '' : isMet ? 'ok' : 'MISS',
  ];
}

/** Three significant digits: a noisy machine gives no more. */
const format = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
