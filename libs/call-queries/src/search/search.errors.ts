import { DomainError } from '@hone/platform';

/** The project's settings say that words of its calls are not indexed, and a query has `$search`. */
export class SearchOffError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'search.off';
  constructor() {
    super('Search is off in the settings of this project. Use $contains, or have an owner turn search on.');
  }
}

/** What must be complete, such as an export, searches calls of which some are not in the index yet. Try again later. */
export class SearchIncompleteError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'search.incomplete';
  constructor() {
    super('Some calls of this project are not searchable yet: see POST /project/search/read. Try again later.');
  }
}
