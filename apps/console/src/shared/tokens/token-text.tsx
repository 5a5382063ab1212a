import styles from './token-text.module.css';
import { doubtOf, type Token } from './tokens.js';

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

const percentOf = ({ logprob }: Pick<Token, 'logprob'>): string => PERCENT.format(Math.exp(logprob));

/** A text token by token: the less likely one was, the stronger its colour. Pointing at one shows what else there was. */
export const TokenText = ({ tokens }: { readonly tokens: readonly Token[] }) => (
  <div className={styles['text']} dir="auto">
    {tokens.map((token, at) => (
      <span key={at} className={styles['token']} data-doubt={doubtOf(token)} title={titleOf(token)}>
        {token.text}
      </span>
    ))}
  </div>
);

const titleOf = (token: Token): string =>
  [percentOf(token), ...token.alternatives.map((one) => `${JSON.stringify(one.text)} ${percentOf(one)}`)].join('\n');
