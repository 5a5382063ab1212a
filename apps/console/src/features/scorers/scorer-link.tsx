import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';

/** Leads to the version of a scorer that a ref names. */
export function ScorerLink({ scorer }: { readonly scorer: string }) {
  const project = useProject();
  const { name = scorer, version = '' } = parseRef(scorer) ?? {};
  return <Link to={project.path(`scorers/${encodeURIComponent(name)}?version=${version}`)}>{name}</Link>;
}
