import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import page from '../../../shared/page/page.module.css';
import type { GivenSource } from './given-playground.js';

interface Props {
  readonly source: GivenSource;
  readonly leftOut: readonly string[];
}

/** Which call or prompt the fields were filled in from, and what of it they do not have. */
export function GivenNote({ source: { label, page: path }, leftOut }: Props) {
  const project = useProject();
  return (
    <div className={page['muted']}>
      <p>
        Filled in from <Link to={project.path(path)}>{label}</Link>.{leftOut.length > 0 && ' Not taken over:'}
      </p>
      {leftOut.length > 0 && (
        <ul aria-label="Not taken over">
          {leftOut.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
