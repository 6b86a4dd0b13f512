#ifndef GOLDEN_H
#define GOLDEN_H

/* Answers hexadecimal frames of the standard input as the unit of the document's examples does, in the state of that name:
   playing, booted or voided. Whether there is such a state. */
int answer_golden_frames(const char *state);

#endif
