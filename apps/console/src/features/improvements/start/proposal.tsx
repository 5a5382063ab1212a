import type { ImprovementDto } from '@hone/client';
import type { UseQueryResult } from '@tanstack/react-query';

import form from '../../../shared/dialog/dialog.module.css';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { MethodsList } from '../methods-list.js';

interface Props {
  readonly query: UseQueryResult<ImprovementDto>;
  /** Whether enough is chosen to ask. */
  readonly isReady: boolean;
}

/** What a dry run says, before anything is started. */
export const Proposal = ({ query: { data, error, refetch }, isReady }: Props) => (
  <fieldset>
    <legend>What the calls allow</legend>
    {!isReady ? (
      <p className={form['hint']}>Choose who judges the answers, to see it.</p>
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
