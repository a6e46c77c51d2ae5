/** The page that a notification is about, as the list of notifications links to it. */
export interface NoticePage {
  readonly words: () => string;
  readonly to: () => string;
  /** It shows the chosen sacco: another one that the notification names is chosen first. */
  readonly isOfSacco?: true;
  /** Where it leads whoever is not in the sacco that it names any more. */
  readonly elsewhere?: () => string;
}

/**
 * A domain's pages, each by how the names of its notices begin; the longest beginning counts. The list of notifications finds it by its
 * name: `noticePages` of the domain's `notice-pages.ts`. What leads nowhere stands in none.
 */
export type NoticePages = Readonly<Record<string, NoticePage>>;
