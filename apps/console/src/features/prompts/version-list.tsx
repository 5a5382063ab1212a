import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Badge } from '../../shared/ui/badge.js';
import styles from './prompts.module.css';
import type { VersionProps } from './versions.js';

/** Every version, newest first: a click shows it. */
export function VersionList({ versions, shown }: VersionProps) {
  const [, setVersion] = useSearchState('version');
  const nameOf = useUsernames();
  return (
    <section className={page['section']} aria-label="Versions">
      <h2>Versions</h2>
      <ul className={styles['versions']}>
        {versions.map(({ digest, version_index, created_at, svc_user_id, aliases = [], tags = [] }) => (
          <li key={digest}>
            <button
              type="button"
              className={styles['version']}
              aria-current={digest === shown.digest}
              onClick={() => setVersion(`v${version_index}`)}
            >
              <span className={styles['head']}>
                v{version_index}
                {aliases.map((name) => (
                  <Badge key={name} tone={name === 'latest' ? 'muted' : 'good'}>
                    {name}
                  </Badge>
                ))}
                {tags.map((name) => (
                  <Badge key={name} tone="muted">
                    {name}
                  </Badge>
                ))}
              </span>
              <small>
                {formatTime(created_at).slice(0, 16)} by {nameOf(svc_user_id)}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
