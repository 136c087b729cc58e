// What a person types to run this program; a package has its own name (build/packing/service).

export const programName = "npm run content --";
