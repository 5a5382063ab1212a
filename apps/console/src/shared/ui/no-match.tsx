import { ButtonLink } from './button-link.js';
import { EmptyNote } from './notes.js';

interface Props {
  readonly title: string;
  /** The page without its filters. */
  readonly all: string;
}

/** Filters that let nothing through, and the way back to all. */
export const NoMatch = ({ title, all }: Props) => (
  <EmptyNote title={title}>
    <p>
      <ButtonLink to={all}>Clear filters</ButtonLink>
    </p>
  </EmptyNote>
);
