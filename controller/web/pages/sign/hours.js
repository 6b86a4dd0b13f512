/**
 * Hours of the day that a technician wrote down: "23:00-08:00" passes midnight; "" is never. Pure.
 */

/**
 * Whether an instant lies in these hours.
 * @param {string | undefined} hours
 * @param {Date} now
 */
export function isWithin(hours, now) {
  const found = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours ?? "");
  if (!found) return false;
  const [from, until] = [minutes(found[1], found[2]), minutes(found[3], found[4])];
  const at = now.getHours() * 60 + now.getMinutes();
  return from <= until ? from <= at && at < until : at >= from || at < until;
}

/**
 * @param {string} hour
 * @param {string} minute
 */
function minutes(hour, minute) {
  return Number(hour) * 60 + Number(minute);
}
