import { t } from '../../language/text.ts';
/** What is kept of the checklist for each person. */
export interface FirstSteps {
  searched?: boolean;
  dismissed?: boolean;
}

interface Step {
  key: 'search' | 'people' | 'backups' | 'alerts';
  title: string;
  detail: string;
  action: string;
  href: string;
  /** Undefined while it is not known. */
  done: boolean | undefined;
}

/** The steps for a person; all but the search need an administrator. */
export function firstSteps(known: {
  searched: boolean;
  admin: boolean;
  people: number | undefined;
  backups: boolean | undefined;
  channels: number | undefined;
}): Step[] {
  const search: Step = {
    key: 'search',
    title: t('Try a search'),
    detail: t('Type a few words. Names and contents are searched, typos included.'),
    action: t('Search'),
    href: '#/',
    done: known.searched,
  };
  if (!known.admin) return [search];
  const more = (count: number | undefined, least: number) => (count === undefined ? undefined : count >= least);
  return [
    search,
    {
      key: 'people',
      title: t('Add a person'),
      detail: t('Everybody sees only what you allow.'),
      action: t('Add a person'),
      href: '#/admin',
      done: more(known.people, 2),
    },
    {
      key: 'backups',
      title: t('Switch on backups'),
      detail: t('They hold tags, notes and settings. Your files are not part of them.'),
      action: t('Choose a schedule'),
      href: '#/admin/backups',
      done: known.backups,
    },
    {
      key: 'alerts',
      title: t('Be told when something is wrong'),
      detail: t('Add a channel, such as e-mail, and choose what is reported.'),
      action: t('Add a channel'),
      href: '#/alerts',
      done: more(known.channels, 1),
    },
  ];
}
