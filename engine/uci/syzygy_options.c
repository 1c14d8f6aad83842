/* SPDX-License-Identifier: MIT
 * The UCI options of the endgame tables. */
#include "engine/search/syzygy.h"
#include "engine/uci/internal.h"

enum { PROBE_DEPTH_MAX = 100, MEN_MAX = 7 };

/* Tells the search what tables there are and how to use them. */
static void apply(Uci *uci)
{
    SearchSyzygy tables = uci->syzygy;
    int men = syzygy_men();

    if (tables.men > men) tables.men = men;
    search_set_syzygy(uci->search, &tables);
}

void uci_tables_init(Uci *uci)
{
    uci->syzygy = (SearchSyzygy){.men = MEN_MAX, .probe_depth = 1, .rule50 = true};
    apply(uci);
}

void uci_set_syzygy_path(Uci *uci, const char *value)
{
    Error err = {0};

    if (syzygy_open(value, &err) != STATUS_OK)
        uci_complain(uci, &err);
    else if (syzygy_men() > 0)
        uci_say(uci, "info string endgame tables of up to %d men", syzygy_men());
    apply(uci);
}

void uci_set_probe_depth(Uci *uci, const char *value)
{
    int64_t plies;
    if (!uci_read_number(uci, "SyzygyProbeDepth", value, 1, PROBE_DEPTH_MAX, &plies)) return;
    uci->syzygy.probe_depth = (int)plies;
    apply(uci);
}

void uci_set_probe_limit(Uci *uci, const char *value)
{
    int64_t men;
    if (!uci_read_number(uci, "SyzygyProbeLimit", value, 0, MEN_MAX, &men)) return;
    uci->syzygy.men = (int)men;
    apply(uci);
}

void uci_set_fifty_move_rule(Uci *uci, const char *value)
{
    if (uci_read_check(uci, "Syzygy50MoveRule", value, &uci->syzygy.rule50)) apply(uci);
}
