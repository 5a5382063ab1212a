import type { ImprovementDto } from '@hone/client';
import type { UseQueryResult } from '@tanstack/react-query';

import form from '../../../shared/dialog/dialog.module.css';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { MethodsList } from '../methods-list.js';

interface Props {
  readonly query: UseQueryResult<ImprovementDto>;
  /** What is missing before it can be asked; null: nothing. */
  readonly missing: string | null;
}

/** What a dry run says, before anything is started. */
export const Proposal = ({ query: { data, error, refetch }, missing }: Props) => (
  <fieldset>
    <legend>What the calls allow</legend>
    {missing !== null ? (
      <p className={form['hint']}>{missing}</p>
    ) : error ? (
      <ErrorNote error={error} retry={() => void refetch()} />
    ) : !data ? (
      <Loading what="what the calls allow" />
    ) : (
      <>
        <p role="status">{data.sentence}</p>
        <MethodsList label="Methods" candidates={data.candidates} />
      </>
    )}
  </fieldset>
);
