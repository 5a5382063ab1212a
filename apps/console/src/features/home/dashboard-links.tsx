import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useDashboards } from '../../shared/objects/use-dashboards.js';
import styles from './home.module.css';

const SHOWN = 8;

/** Ways to the dashboards of the project. Nothing while there are none, or they cannot be read. */
export function DashboardLinks() {
  const project = useProject();
  const dashboards = useDashboards();
  if (!dashboards.data || dashboards.data.length === 0) return null;
  const rest = dashboards.data.length - SHOWN;
  return (
    <nav className={styles['dashboards']} aria-label="Dashboards">
      <span>Dashboards:</span>
      {dashboards.data.slice(0, SHOWN).map(({ id, name }) => (
        <Link key={id} to={project.path(`dashboards/${encodeURIComponent(id)}`)}>
          {name}
        </Link>
      ))}
      {rest > 0 && <Link to={project.path('dashboards')}>{rest} more</Link>}
    </nav>
  );
}
