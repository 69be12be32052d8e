const DATE = '\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,14}[A-Za-z0-9])?';
const HOST = `${LABEL}(\\.${LABEL}){0,3}`;

/**
 * Texts of the formats that are served, as regular expressions: each is of the format, and not every text of the format is among them.
 *
 * @source JSON Schema 2020-12, "Defined Formats"; RFC 3339 for dates and times
 */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  date: `^${DATE}$`,
  time: `^${TIME}$`,
  'date-time': `^${DATE}T${TIME}$`,
  duration: '^P(\\d{1,4}(D|M|W|Y)|(\\d{1,4}D)?T\\d{1,4}[HMS])$',
  email: `^[A-Za-z0-9_+-]{1,16}(\\.[A-Za-z0-9_+-]{1,16})?@${LABEL}(\\.${LABEL}){1,3}$`,
  hostname: `^${HOST}$`,
  ipv4: `^${BYTE}(\\.${BYTE}){3}$`,
  ipv6: '^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  uri: `^https?://${HOST}(/[A-Za-z0-9._~-]{1,16}){0,3}$`,
};
