import type {
  CheckDto,
  HttpScorerDto,
  JudgeDto,
  JudgeMessageDto,
  PairwiseDto,
  ScorerDefinitionDto,
} from '@hone/client';

import page from '../../shared/page/page.module.css';
import { FIELD_LABELS, IGNORED } from './check-fields.js';
import { CHECK_FIELDS, toDraft } from './scorer-draft.js';
import styles from './scorers.module.css';

const TITLES = {
  llm: 'A model judges',
  http: 'A server judges',
  check: 'A rule is computed',
  pairwise: 'A model compares two answers',
};

/** What a scorer does. */
export const DefinitionView = ({ definition }: { readonly definition: ScorerDefinitionDto }) => (
  <section className={page['card']} aria-label="What it does">
    <h2>{TITLES[definition.kind]}</h2>
    {definition.llm && <Judge {...definition.llm} />}
    {definition.pairwise && <Pairwise {...definition.pairwise} />}
    {definition.http && <Server {...definition.http} />}
    {definition.check && <Check check={definition.check} />}
  </section>
);

function Check({ check }: { readonly check: CheckDto }) {
  const draft = toDraft({ kind: 'check', check });
  const fields = draft.kind === 'check' ? draft.fields : {};
  return (
    <dl className={page['facts']}>
      <dt>Check</dt>
      <dd>{check.check.replaceAll('_', ' ')}</dd>
      {CHECK_FIELDS[check.check].map(
        (field) =>
          fields[field] !== undefined &&
          fields[field] !== 'false' && (
            <Fact key={field} name={FIELD_LABELS[field]}>
              {field === 'ignore_case' ? IGNORED : fields[field]}
            </Fact>
          ),
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: string | undefined }) => (
  <>
    <dt>{name}</dt>
    <dd className={page['text']} dir="auto">
      {children}
    </dd>
  </>
);

const Server = ({ url, ratings, tags }: HttpScorerDto) => (
  <dl className={page['facts']}>
    <Fact name="Calls are posted to">{url}</Fact>
    {(ratings ?? []).map(({ name, min, max }) => (
      <Fact key={name} name={name}>
        {(min ?? null) === null ? 'any number' : `from ${min} to ${max}`}
      </Fact>
    ))}
    {(tags ?? []).map((name) => (
      <Fact key={name} name={name}>
        or not
      </Fact>
    ))}
  </dl>
);

const Pairwise = ({ model, messages, against, description, temperature }: PairwiseDto) => (
  <div className={page['section']}>
    <dl className={page['facts']}>
      <Fact name="Model">{model}</Fact>
      <Fact name="Other answer at">{against ?? 'the baseline of an evaluation'}</Fact>
      {(description ?? '') !== '' && <Fact name="Better is">{description ?? ''}</Fact>}
      <Fact name="Asked">in both orders</Fact>
      {(temperature ?? null) !== null && <Fact name="Temperature">{String(temperature)}</Fact>}
    </dl>
    <Messages messages={messages} />
  </div>
);

const Messages = ({ messages }: { readonly messages: readonly JudgeMessageDto[] }) => (
  <ol className={styles['messages']} aria-label="What the judge reads">
    {messages.map(({ role, content }, at) => (
      <li key={at}>
        <small>{role}</small>
        <p className={page['text']} dir="auto">
          {content}
        </p>
      </li>
    ))}
  </ol>
);

function Judge({ model, messages, ratings, tags, reference, votes, temperature }: JudgeDto) {
  return (
    <div className={page['section']}>
      <dl className={page['facts']}>
        <Fact name="Model">{model}</Fact>
        {(reference ?? '') !== '' && <Fact name="Expected answer at">{reference ?? ''}</Fact>}
        <Fact name="Asked">{(votes ?? 1) === 1 ? 'once' : `${votes} times`}</Fact>
        {(temperature ?? null) !== null && <Fact name="Temperature">{String(temperature)}</Fact>}
      </dl>
      <Messages messages={messages} />
      <ul className={styles['criteria']} aria-label="What it finds">
        {(ratings ?? []).map(({ name, min, max, description, steps }) => (
          <li key={name}>
            <b>{name}</b> from {min} to {max}
            {description && <span dir="auto">: {description}</span>}
            <ul className={styles['plain']}>
              {Object.entries(steps ?? {}).map(([step, meaning]) => (
                <li key={step} className={page['muted']}>
                  {step}: {meaning}
                </li>
              ))}
            </ul>
          </li>
        ))}
        {(tags ?? []).map(({ name, description }) => (
          <li key={name}>
            <b>{name}</b> or not{description && <span dir="auto">: {description}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
