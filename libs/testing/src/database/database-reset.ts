import type { TestDatabase } from './test-database.js';

/** Schema that keeps the rows that were there when {@link rememberRows} was called. */
const KEPT = 'rows_to_restore';

/**
 * Ordinary tables and partitions, one row each. What makes the installation (its migrations, its settings, such as the key
 * that signs cursors) is none of them: a service reads it once.
 */
const TABLES = `SELECT c.relname AS table_name, c.oid AS id FROM pg_class c WHERE c.relkind = 'r'
  AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('_prisma_migrations', 'settings')`;
/** From this size on (bytes on disk) a table is truncated: deleting its rows would take longer. */
const TRUNCATED_BYTES = 262_144;

/** Keeps the rows of all tables, to which {@link resetRows} brings the database back. A booted service stored them. */
export async function rememberRows(database: TestDatabase): Promise<void> {
  await database.sql(`DO $$ DECLARE t record; is_filled boolean; BEGIN
    CREATE SCHEMA ${KEPT};
    FOR t IN ${TABLES} LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', t.table_name) INTO is_filled;
      IF is_filled THEN EXECUTE format('CREATE TABLE ${KEPT}.%1$I AS TABLE public.%1$I', t.table_name); END IF;
    END LOOP;
  END $$`);
}

/** Deletes all rows but those that {@link rememberRows} kept, which it writes as they were, and restarts sequences. */
export async function resetRows(database: TestDatabase): Promise<void> {
  await database.sql(`DO $$ DECLARE t record; is_filled boolean; BEGIN
    SET LOCAL session_replication_role = replica; -- rows go and come in any order: no foreign keys, no triggers
    FOR t IN ${TABLES} LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', t.table_name) INTO is_filled;
      IF NOT is_filled THEN CONTINUE; END IF;
      IF pg_relation_size(t.id) < ${TRUNCATED_BYTES} THEN EXECUTE format('DELETE FROM public.%I', t.table_name);
      ELSE EXECUTE format('TRUNCATE public.%I CASCADE', t.table_name); END IF;
    END LOOP;
    FOR t IN SELECT tablename AS table_name FROM pg_tables WHERE schemaname = '${KEPT}' LOOP
      EXECUTE format('INSERT INTO public.%1$I SELECT * FROM ${KEPT}.%1$I', t.table_name);
    END LOOP;
    FOR t IN SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER SEQUENCE public.%I RESTART', t.name);
    END LOOP;
  END $$`);
}
