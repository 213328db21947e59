#include "commands/replay/page.h"

#include "report/html_tables.h"

const struct html_page replay_page = {
    .title = "applyguard replay",
    /* Short tables side by side, as many as fit; each row of the long one needs room for its findings. */
    .style = ".tables { display: block; columns: 24rem; column-gap: 2rem; }\n"
             ".tables > div { break-inside: avoid; }\n"
             ".tables thead th { white-space: normal; overflow-wrap: normal; vertical-align: bottom; "
             "position: static; }\n"
             "#writes td { min-width: 9rem; } #writes .time { min-width: 7rem; }"
             " #writes td.deny, #writes td.warn { min-width: 4rem; }"
             " #writes td:last-child { min-width: 20rem; width: 50%; }\n",
    .script = html_tables_script,
};
