export interface UserRecord {
  id: string;
  username: string;
  isAdmin: boolean;
  /** Name of the entity that the user's keys book to. */
  defaultEntity: string;
  createdAt: Date;
}
