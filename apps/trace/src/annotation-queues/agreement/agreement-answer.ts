import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { AgreementDto, AnnotatorPairDto } from '@hone/contracts';

import type { CohenPair } from './cohen-kappa.js';

/** Pairs that are printed at once. */
const PAIRS_AT_ONCE = 2_000;

/** How well annotators agree. */
export type Agreement = Omit<AgreementDto, 'pairs'> & { readonly pairs: CohenPair[] };

/** The answer; one with many pairs is written in pieces, between which other requests go on. */
export const toAgreementAnswer = (agreement: Agreement): AgreementDto | Readable =>
  agreement.pairs.length > PAIRS_AT_ONCE
    ? Readable.from(texts(agreement), { objectMode: false })
    : { ...agreement, pairs: agreement.pairs.map(toPair) };

async function* texts({ items, annotators, pairs, ...rest }: Agreement): AsyncGenerator<string> {
  let separator = `${JSON.stringify({ items, annotators }).slice(0, -1)},"pairs":[`;
  for (let at = 0; at < pairs.length; at += PAIRS_AT_ONCE) {
    const piece = pairs.slice(at, at + PAIRS_AT_ONCE).map(toPair);
    yield separator + JSON.stringify(piece).slice(1, -1);
    separator = ',';
    await nextTurn();
  }
  yield `],${JSON.stringify(rest).slice(1)}`;
}

const toPair = ({ a, b, n, kappa }: CohenPair): AnnotatorPairDto => ({ a, b, n, cohen_kappa: kappa });
