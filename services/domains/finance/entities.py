"""What a question on markets names: listed companies and macro series."""

from services.domains.finance.securities import SECURITY, company_names, read_securities, stated_names
from services.domains.finance.series import of_the_country
from services.plugin.entities import NAMES, EntityKind, name_rows, named_kind

KINDS = (
    EntityKind(
        SECURITY,
        read_securities,
        precedence=NAMES,
        stands_for="종목",
        pointers=("종목|주식|회사|기업", "stock|shares?|company|ticker"),
        spelt=company_names,
        stated=stated_names,
    ),
    named_kind("series", name_rows(__package__, "data/series.yaml"), choose=of_the_country, is_name=False),
)
