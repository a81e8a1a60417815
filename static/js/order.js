// Answers may overtake one another. Take a turn before asking: called with the answer, it tells whether no later one of the same was shown.
export function keepOrder() {
  const asked = new Map();
  const shown = new Map();
  return (of) => {
    const turn = (asked.get(of) ?? 0) + 1;
    asked.set(of, turn);
    return () => {
      if (turn < (shown.get(of) ?? 0)) return false;
      shown.set(of, turn);
      return true;
    };
  };
}
