export const brains = {};
