"""What a question on homes names: places in Korea, kinds of homes and kinds of deals."""

from services.domains.homes.gazetteer import stated_names
from services.domains.homes.regions import REGION, read_regions
from services.plugin.entities import NAMES, EntityKind, SumWords, name_rows, named_kind

# "보증금 1000에 월세 60", "1000/60": a deposit with its monthly rent.
SUMS = SumWords(
    nouns=r"보증금|월세|전세금|전세가?|매매가|대출금?|시세",
    large=r"보증금",
    small=r"월세|월\s?임대료|임대료|월",
    signs=r"월세|보증금|반전세|렌트|\brents?\b|deposit",
)
KINDS = (
    EntityKind(
        REGION,
        read_regions,
        precedence=NAMES + 1,
        stands_for="지역",
        pointers=(
            r"지역|동네|구역|자치구|구(?=[는은의가를도에\s]|$)|곳|시군구",
            r"area|district|neighbou?rhood|region|place",
        ),
        stated=stated_names,
    ),
    named_kind("property_type", name_rows(__package__, "data/property_types.yaml"), is_name=False),
    named_kind("deal_type", name_rows(__package__, "data/deal_types.yaml"), is_name=False),
)
