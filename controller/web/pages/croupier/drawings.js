/**
 * The shapes of a croupier's screen: lamps, states, suits. A shape says by itself what a colour would only repeat.
 */

import { drawing } from "../ground/element.js";

/** @param {...SVGElement} parts */
const picture = (...parts) => drawing("svg", { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" }, ...parts);

/** @param {string} d @param {import("../ground/element.js").Attributes} [how] */
const path = (d, how = {}) => drawing("path", { d, ...how });

const HOLLOW = { fill: "none", stroke: "currentColor", "stroke-width": 2.6, "stroke-linecap": "round", "stroke-linejoin": "round" };
const FULL = { fill: "currentColor" };
const RAYS = "M16 1.5v4M16 26.500v4M1.500 16h4M26.500 16h4M5.700 5.700l2.800 2.800M23.500 23.500l2.800 2.800M5.700 26.300l2.800-2.800M23.500 8.500l2.800-2.800";

/** @type {Record<string, () => SVGElement[]>} */
const SHAPES = {
  "lamp-lit": () => [drawing("circle", { cx: 16, cy: 16, r: 7.5, ...FULL }), path(RAYS, HOLLOW)],
  "lamp-dark": () => [drawing("circle", { cx: 16, cy: 16, r: 7.5, ...HOLLOW, "stroke-width": 2 })],
  "lamp-waits": () => [drawing("circle", { cx: 16, cy: 16, r: 8, ...HOLLOW }), path("M16 8a8 8 0 0 1 0 16z", FULL)],
  "lamp-fault": () => [drawing("circle", { cx: 16, cy: 16, r: 11, ...HOLLOW }), path("M9 9l14 14M23 9l-14 14", HOLLOW)],
  "lamp-unknown": () => [drawing("circle", { cx: 16, cy: 16, r: 7.5, ...HOLLOW, "stroke-dasharray": "3 4.500" })],
  ring: () => [drawing("circle", { cx: 16, cy: 16, r: 11.5, ...HOLLOW, "stroke-width": 4 })],
  lock: () => [path("M10 14v-4a6 6 0 0 1 12 0v4", { ...HOLLOW, "stroke-width": 3.4 }), path("M6 14h20v15H6z", FULL)],
  hourglass: () => [path("M8 3h16M8 29h16M10 3c0 8 12 9 12 13s-12 5-12 13M22 3c0 8-12 9-12 13s12 5 12 13", HOLLOW)],
  dash: () => [path("M5 16h22", { ...HOLLOW, "stroke-width": 4.500 })],
  cross: () => [path("M6 6l20 20M26 6L6 26", { ...HOLLOW, "stroke-width": 4 })],
  moon: () => [path("M22 21A11 11 0 0 1 11 5a12 12 0 1 0 16 15 11 11 0 0 1-5 1z", FULL)],
  cut: () => [path("M3 16h8M21 16h8M13 9l-2-4M19 23l2 4M13 23l-2 4M19 9l2-4", { ...HOLLOW, "stroke-width": 3.400 })],
  triangle: () => [path("M16 4l13 24H3z", HOLLOW), path("M16 13v7M16 24v.1", HOLLOW)],
  suit_s: () => [path("M16 3c6 6 13 11 13 16.500 0 4-3 6-6 6-2.400 0-4.400-1.200-5.500-2.900.2 2.800 1.100 5 3 6.900h-9c1.900-1.900 2.800-4.100 3-6.900-1.100 1.700-3.100 2.900-5.500 2.900-3 0-6-2-6-6C3 14 10 9 16 3z", FULL)],
  suit_h: () => [path("M16 28C6 20 3 15 3 10.500 3 6.500 6 4 9.300 4c2.700 0 5.300 1.600 6.700 4.400C17.400 5.600 20 4 22.700 4 26 4 29 6.500 29 10.500 29 15 26 20 16 28z", HOLLOW)],
  suit_d: () => [path("M16 3l11 13-11 13L5 16z", HOLLOW)],
  suit_c: () => [drawing("circle", { cx: 16, cy: 9, r: 6, ...FULL }), drawing("circle", { cx: 9, cy: 18.500, r: 6, ...FULL }), drawing("circle", { cx: 23, cy: 18.500, r: 6, ...FULL }), path("M15 16h2c0 6 1.200 10 4 13.500H11c2.800-3.500 4-7.500 4-13.500z", FULL)],
};

/**
 * @param {string} name
 * @returns {SVGElement}
 */
export function shape(name) {
  const parts = SHAPES[name];
  if (!parts) throw new Error(`no shape is named ${name}`);
  const made = picture(...parts());
  made.classList.add("shape", name);
  return made;
}
