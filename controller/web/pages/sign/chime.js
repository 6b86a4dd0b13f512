/**
 * A sound for a prize that was confirmed: five rising notes, made here, once for each prize.
 *
 * A browser may refuse sound to a page that nobody touched; the kiosk's policy allows it (systemd/pozo-kiosk). Without it
 * the sign is silent, and nothing else changes.
 */

const NOTES = [523.25, 659.25, 783.99, 1046.5, 1318.51];
const EACH = 0.16;
const LAST = 1.6;

export class Chime {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    this.played = "";
  }

  /** @param {string} award */
  playOnce(award) {
    if (this.played === award) return;
    this.played = award;
    this.context ??= new AudioContext();
    const { context } = this;
    NOTES.forEach((pitch, at) => note(context, pitch, context.currentTime + at * EACH, at === NOTES.length - 1 ? LAST : 2 * EACH));
  }
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} from
 * @param {number} length
 */
function note(context, pitch, from, length) {
  const voice = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(0, from);
  loudness.gain.linearRampToValueAtTime(0.25, from + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
  voice.connect(loudness).connect(context.destination);
  voice.start(from);
  voice.stop(from + length);
}
